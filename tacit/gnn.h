// The public headers of the layer gnn: a rank's part of a training, its data and plans, and the same
// training on plain data. docs/api.md says what each header is for.
#pragma once

// A training, its plan and its forecast.
#include "gnn/plan/plans.h"
#include "gnn/run/planned_run.h"
#include "gnn/run/training_run.h"
#include "gnn/settings/setting_list.h"

// Data.
#include "gnn/data/graph_file.h"
#include "gnn/data/graph_npz.h"
#include "gnn/data/preparation.h"
#include "gnn/data/split.h"

// Results, and the same training on plain data.
#include "gnn/model/model_file.h"
#include "gnn/plain/plain_trainer.h"
