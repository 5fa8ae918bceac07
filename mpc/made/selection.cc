#include "mpc/made/selection.h"

#include "mpc/made/wrap.h"

namespace tacit::mpc {

std::vector<SharedWords> made(Engine& engine, const WideningRequest& request) {
  const Engine::Widening widening{engine.shared(*request.mu), request.bits};
  return engine.widen(std::span(&widening, 1));
}

std::vector<SharedWords> made(Engine& engine, const SelectionRequest& request) {
  const SharedBits mu = engine.shared(*request.mu);
  std::vector<Engine::Selection> selections{{mu, engine.shared(request.r, 1, request.bits)}};
  const bool lifts = request.bits > request.k;
  std::vector<Engine::Widening> widenings;
  if (lifts) {
    const Engine::Addition addition{request.r, request.k, true};
    widenings = wrap_bits(engine.add(std::span(&addition, 1)).front(), request.bits - request.k);
  }
  if (request.with_mu) widenings.push_back({mu, request.bits});
  // All of mu's holders at once: to widen it, all but one are enough.
  std::vector<SharedWords> widened, made;
  if (!widenings.empty()) widened = engine.widen(widenings, {{mu, mu.holders}});
  if (request.with_mu) {
    made.push_back(widened.back());
    widened.pop_back();
  }
  if (lifts) {
    const std::vector<SharedWords> terms = wrap_terms(engine, request.r, request.k, widened);
    made.insert(made.end(), terms.begin(), terms.end());
    selections.push_back({mu, beside(terms)});
  }
  const std::vector<SharedWords> products = engine.times(selections);
  made.insert(made.begin(), products.front());
  for (std::int64_t term = 0; term < 2 && lifts; ++term) made.push_back(columns_of(products.back(), term, 1));
  return made;
}

}  // namespace tacit::mpc
