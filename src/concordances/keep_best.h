#pragma once

#include "concordances/concordances.h"

namespace rondo::concordances {

/// Keeps the pairs that are among the best `most` of one of their two melodies; of equal scores the first by id. Every
/// melody keeps a partner.
void keep_best(Concordances& all, std::size_t most);

}  // namespace rondo::concordances
