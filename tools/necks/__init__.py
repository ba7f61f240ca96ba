"""Build the library's heads with necks of separate vertebrae, from published tables (`data`)."""
