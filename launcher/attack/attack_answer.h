// The answers of `tacit attack`: the result of an attack, beside the results of its baselines and the bound of the job's privacy.
#pragma once

#include "gnn/attack/inversion.h"
#include "gnn/attack/link_stealing.h"
#include "gnn/attack/membership.h"
#include "launcher/answer.h"
#include "launcher/attack/attacked_job.h"

namespace tacit::launcher {

Answer answer_of(const AttackedJob& job, const gnn::MembershipAttack& attack);
Answer answer_of(const AttackedJob& job, const std::vector<gnn::InvertedColumn>& columns);
Answer answer_of(const AttackedJob& job, const gnn::LinkAttack& attack);

}  // namespace tacit::launcher
