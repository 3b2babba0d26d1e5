"""From what the user named to a Project: files, folders, zips and standard input."""
