"""Movies and pictures of runs, drawn off the screen."""
