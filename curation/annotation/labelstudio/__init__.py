"""Annotation through a Label Studio server: tasks out, annotations back.

`client` finds the server, speaks to it and turns its failures into errors for a user; `tasks`
is what is sent and the pages that it is shown on, `store` what is known of earlier pushes; `push`
sends, `pull` fetches, validates and maps users to annotators; `answers` has the kinds of tasks
by name, and hands what annotators said on to its kind; `serve` starts a server.
"""
