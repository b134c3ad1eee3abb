internal import CommandLineTool
internal import DaemonCore
internal import Glibc
internal import PlayTool

exit(CommandLine.programName == "podcast-play" ? PlayProgram.run() : DaemonProgram.run())
