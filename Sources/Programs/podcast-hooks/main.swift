import Glibc
import HookGateway

exit(HookProgram.main())
