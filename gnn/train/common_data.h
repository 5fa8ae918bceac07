// share_rows_of_data — masks the data of a training once: the model of all subjects, which evaluates and predicts, and the
// models of training steps multiply rows of the same masked tensors by their weights.
//
// A step reads fewer nodes than an evaluation, and every node's row is the same in both. Therefore all rows get one order:
// the rows of a step side by side, then the rows of the next step, then all others. The model of a step takes a range of this
// order. The model of all subjects takes everything, and its products are brought back into the order of its view, on shares.
//
// Reveals     nothing: each row is opened under one mask, once a session
// Sends       the rows of all nodes that an evaluation reads, once, in the first step; no data in an evaluation
// Secure      as mpc/protocols/mask.h and product.h: a masked tensor takes part in any number of products. The order is known
//             to the parties alone, who know the public graph. The dealer names the masks by ranges of the order, and learns
//             their lengths: the numbers of nodes that the step and the whole view read, which it knows from the agreement on
//             data (agreement.h). The dealer does not learn which nodes a range has. The number of nodes that two steps have
//             in common would reveal something about a public graph, so only one of its steps is in the order
#pragma once

#include <span>

#include "gnn/model/model.h"

namespace tacit::gnn {

struct DataReader {
  Model* model;
  const GraphView* view;
  Tensor* x;  // the rows view->inputs(); let go where the model reads rows of common data
};

// Call it before the first pass of any reader's model. With `apart`, the batches read different rows, and every batch takes
// its rows from the common data. Otherwise only the batch with the most rows does, and the others mask their own. Does
// nothing if a batch uses the model of the whole view, or if Model::data_of() is empty.
void share_rows_of_data(Arithmetic& arithmetic, const ModelSpec& spec, const DataReader& whole,
                        std::span<const DataReader> batches, bool apart);

}  // namespace tacit::gnn
