internal import Glibc
internal import PlayTool

exit(PlayProgram.run())
