// agreed_privacy — the privacy of a training with the data that all ranks agreed on.
#pragma once

#include "gnn/privacy/training_privacy.h"
#include "gnn/train/agreement.h"

namespace tacit::gnn {

// The steps and the noise of a private training. Takes up to a second. Throws the same ConfigError at every rank.
TrainingPrivacy privacy_of(const TrainingPlan& training, const DataAgreement& agreement);

// The numbers of records that the owners train on; one number if masks are public.
std::vector<std::int64_t> records_of(const DataAgreement& agreement);

}  // namespace tacit::gnn
