import ControlTool
import Glibc

exit(ControlTool.main())
