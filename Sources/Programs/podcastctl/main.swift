import ControlTool
import Glibc

exit(ControlTool.run())
