"""People's work through a Label Studio server: tasks out, annotations back.

`client` speaks to the server and turns its failures into errors for a user; `tasks` is what is
sent, `configs` the pages that it is shown on, `state` what is known of earlier pushes; `push`
sends, `pull` fetches and validates; `people` maps users to annotators; `serve` starts a server.
"""
