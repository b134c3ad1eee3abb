import Glibc
import MCPGateway

exit(GatewayProgram.main())
