"""The kit of reports: blocks that results make, and how pages, Markdown and pictures show them."""
