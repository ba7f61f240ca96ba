"""Changes of a project, as plain functions from one frozen project to the next; no Qt in here."""
