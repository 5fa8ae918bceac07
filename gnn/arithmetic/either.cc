#include "gnn/arithmetic/either.h"

#include "mpc/protocols/mask.h"
#include "mpc/protocols/product.h"
#include "mpc/session/local.h"

namespace tacit::gnn {

Tensor either(Arithmetic& arithmetic, Tensors matrices, const std::string& name) {
  TACIT_CHECK(!matrices.empty());
  mpc::Session& session = arithmetic.session();
  while (matrices.size() > 1) {
    std::vector<mpc::Share> shares;
    for (std::size_t i = 0; i < matrices.size() / 2 * 2; ++i) shares.push_back(matrices[i].share());
    const std::vector<mpc::Masked> masked = mpc::mask(session, shares);
    Tensors pairs;
    for (std::size_t i = 0; i < shares.size(); i += 2) {
      const mpc::Share both = mpc::product(session, masked[i], masked[i + 1]);
      pairs.emplace_back(shares[i] + shares[i + 1] - both, 1, name);
    }
    if (matrices.size() % 2 == 1) pairs.push_back(matrices.back());
    matrices = std::move(pairs);
  }
  return matrices.front();
}

}  // namespace tacit::gnn
