import CastGateway
import Glibc

exit(CastProgram.main())
