#pragma once

#include <span>
#include <string>

#include "rondo/evaluation/truth.h"

namespace rondo::evaluation {

struct LabelledDocument {
  std::string id;
  std::string label;
};

struct LabelTruth {
  Truth truth;
  /// Documents that are no query because they have no label, or are alone with it.
  std::size_t unlabelled = 0;
  std::size_t alone = 0;
};

/// A truth from labels, as the paper on cover song identification makes it: documents with one label (tune family,
/// canonical song) are relevant to each other. Every document with company is a query and is itself excluded from truth
/// and runs; all others are known not to be relevant, and the collection is all documents but the query. Documents
/// without a label take part as not relevant to anything. Order of queries and groups: as given. Errors:
/// truth-duplicate (an id twice), truth-too-large (more than 50 million pairs), truth-empty (no query).
[[nodiscard]] Result<LabelTruth> truth_from_labels(std::span<const LabelledDocument> documents);

}  // namespace rondo::evaluation
