"""What is seen of a project, as meshes of plain arrays: people, webbing, bags, seats and all else; nothing is drawn here."""
