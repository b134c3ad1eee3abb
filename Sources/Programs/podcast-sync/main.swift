import Glibc
import SyncGateway

exit(SyncProgram.main())
