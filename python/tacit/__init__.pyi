from tacit import mpc as mpc
from tacit import net as net
from tacit._graph import Findings as Findings
from tacit._graph import Graph as Graph
from tacit._graph import read as read
from tacit._job import Job as Job
from tacit._model import Model as Model
from tacit._model import load_model as load_model
from tacit._plan import Plan as Plan
from tacit._plan import plan as plan
from tacit._run import Run as Run
from tacit._run import launch as launch
from tacit._run import train as train
from tacit.errors import ConfigError as ConfigError
from tacit.errors import Error as Error
from tacit.errors import NetError as NetError
from tacit.errors import ProtocolError as ProtocolError

__version__: str
