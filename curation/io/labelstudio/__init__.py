"""People's work through a Label Studio server: tasks out, annotations back.

`settings` finds the server, `client` speaks to it and turns its failures into errors for a user;
`tasks` is what is sent, `configs` the pages that it is shown on, `state` what is known of earlier
pushes; `push` sends, `pull` fetches and validates, `results` are two of the normal forms; `people`
maps users to annotators; `serve` starts a server.
"""
