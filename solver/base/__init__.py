"""What all else stands on: units, words of the program, places of files, writing them whole, failing."""
