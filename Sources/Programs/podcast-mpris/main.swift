import Glibc
import MPRISGateway

exit(MPRISProgram.main())
