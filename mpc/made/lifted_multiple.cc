#include "mpc/made/lifted_multiple.h"

#include "mpc/made/mask_parts.h"

namespace tacit::mpc {

std::vector<SharedWords> made(Engine& engine, const LiftedMultipleRequest& request) {
  const int k = request.k, wide = request.bits + request.shift;
  const bool carried = wide > k;
  const Engine::Addition addition{request.r, k, carried};
  const Engine::Sum sum = engine.add(std::span(&addition, 1)).front();
  std::vector<Engine::Widening> widenings{{sum.bits.back(), request.bits}};
  for (const SharedBits& carry : sum.carries) widenings.push_back({carry, wide - k});
  const std::vector<SharedWords> widened = engine.widen(widenings);
  const SharedWords carries =
      carries_of(engine, std::span(widened).subspan(1), request.shape().size(), carried ? wide - k : 1);
  const SharedWords rho = rho_of(engine, request.r, k, carries, wide);
  const auto mantissa = static_cast<DoubleWord>(request.mantissa);  // modulo 2^128
  return {dropped(scaled(rho, mantissa), request.shift), widened.front()};
}

}  // namespace tacit::mpc
