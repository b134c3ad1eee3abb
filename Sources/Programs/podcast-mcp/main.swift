import Glibc
import MCPGateway

exit(MCPProgram.main())
