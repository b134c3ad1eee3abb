import Glibc
import SnapcastGateway

exit(SnapcastProgram.main())
