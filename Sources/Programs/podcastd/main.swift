internal import DaemonCore
internal import Glibc

exit(DaemonProgram.run())
