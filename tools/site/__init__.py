"""The site: the pages of docs, a gallery of the samples and the notebooks as one set of HTML pages."""
