import Glibc
import MPDGateway

exit(MPDProgram.main())
