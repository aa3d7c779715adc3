"""What a release is made of: its card, citation and metadata, and tasks of harnesses."""
