from tacit import mpc as mpc
from tacit import net as net
from tacit.errors import ConfigError as ConfigError
from tacit.errors import Error as Error
from tacit.errors import NetError as NetError
from tacit.errors import ProtocolError as ProtocolError

__version__: str
