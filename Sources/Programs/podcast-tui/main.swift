import Glibc
import TerminalTool

exit(TerminalProgram.main())
