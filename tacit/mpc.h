// The public headers of the layer mpc: sessions, protocols, and functions composed of protocols.
// docs/api.md says what each header is for.
#pragma once

// Sessions: of a party, of the dealer, on plain values, and one that adds up costs.
#include "mpc/session/clear_session.h"
#include "mpc/session/dealer_session.h"
#include "mpc/session/party_session.h"
#include "mpc/session/plan_session.h"

// Values, and what needs no message.
#include "mpc/ring/fixed_point.h"
#include "mpc/session/local.h"

// Protocols.
#include "mpc/protocols/add_public.h"
#include "mpc/protocols/compare.h"
#include "mpc/protocols/decide.h"
#include "mpc/protocols/drop.h"
#include "mpc/protocols/indicator.h"
#include "mpc/protocols/input.h"
#include "mpc/protocols/lift.h"
#include "mpc/protocols/look_up.h"
#include "mpc/protocols/mask.h"
#include "mpc/protocols/noise.h"
#include "mpc/protocols/product.h"
#include "mpc/protocols/restore.h"
#include "mpc/protocols/reveal.h"
#include "mpc/protocols/row_product.h"
#include "mpc/protocols/select.h"
#include "mpc/protocols/show.h"
#include "mpc/protocols/winner.h"

// Functions of several protocols.
#include "mpc/functions/clip_factor.h"
#include "mpc/functions/clipped_sum.h"
#include "mpc/functions/maximum.h"
#include "mpc/functions/normalise.h"
#include "mpc/functions/reciprocal.h"
#include "mpc/functions/softmax.h"
#include "mpc/levels/range_audit.h"
#include "mpc/sets/intersection.h"

// Masks for a secure sum of gradients.
#include "mpc/random/pairwise_masking.h"
