import Glibc
import WebGateway

exit(WebProgram.main())
