"""What is written for others: pictures, movies, reports, moving scenes."""

from __future__ import annotations

PICTURE_COPIED = "The picture of the scene is on the clipboard."
PICTURE_TITLE = "Save the picture"
PICTURE_FILES = "Pictures (*.png *.jpg)"
REPORT_TITLE = "Write a report"
REPORT_FILES = "Report (*.html);;Report as PDF (*.pdf)"
STRIP_TITLE = "Write a filmstrip"
STRIP_COUNT = "Instants, side by side"
STRIP_TIP = "Choose a file, and write the instants into it"
SCENE_TITLE = "Write the moving scene"
SCENE_FILES = "glTF, for viewers and slides (*.glb *.gltf);;VTKHDF, for ParaView (*.vtkhdf)"

# command
NOTHING_TO_FILM = "The results hold no instants; there is nothing to film."
BAD_SPAN = "The span must lie within 0 and {last:g} ms, the end after the start."
NO_MODEL_INSIDE = "The model inside the results cannot be read."
BESIDE_WHAT = "Name the other run with --beside OTHER.h5."
NO_SEGMENT = "There is no segment '{name}'; there are {names}."

# dialog
MOVIE, SCENE = "movie", "scene"
MOVIE_TITLE = "Write a movie"
WRITE = "Write…"
CLOSE = "Close"
CANCEL = "Cancel"
MOVIE_LENGTH = "{count} pictures, {seconds:.1f} s to watch"
MOVIE_FILES = "Movie (*.mp4);;Animated picture (*.gif)"
FROM = "From"
SPEED = "Speed"
SIZE = "Picture size"
WORDS = "Words in the corner"
OTHER_RUN = "Another run"
OTHER_RUN_TIP = "Film a second run with this one, at the same instants"
NO_OTHER = "none"
SHOWN_AS = "Shown"
OVERLAID = "faintly in the same scene"
SIDE_BY_SIDE = "side by side"
DRAWING = "Drawing {file}"

# strip
STRIP_RANGE = "A filmstrip has {fewest} to {most} pictures; {count} were asked for."
STRIP_KIND = "'{name}' is no picture: a filmstrip ends in .png or .jpg."
CANNOT_WRITE = "'{file}' cannot be written: {why}."

# writing
MOVIE_KIND = "'{name}' is no movie: use .mp4 or .gif, or a name without ending for PNG pictures."
NOT_EMPTY = "'{path}' exists already and is not an empty folder."
NO_FOLDER = "There is no folder '{folder}' for the movie."
EVEN_SIZE = "An MP4 needs an even width and height."

# command
SCENE_KIND = "'{name}' must end in .glb or .gltf (glTF), or in .vtkhdf (ParaView)."
NOTHING_TO_WRITE = "The results hold no instants; there is nothing to write."
TO = "To"

# the command line
WROTE_FRAMES = "wrote {file}: {count} frames"
WROTE_PICTURES = "wrote {file}: {count} pictures"
PICTURES_OF = "{done} of {whole} pictures"
WRITE_TIP = "Choose a file; then every picture is drawn and written (Enter)"
CLOSE_TIP = "Close; a movie that is being written is given up and leaves nothing behind (Esc)"
