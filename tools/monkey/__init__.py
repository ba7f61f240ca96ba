"""Use the window at random and write down what comes of it."""
