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
  /// Documents that are not queries because they have no label, or no other document has the same.
  std::size_t unlabelled = 0;
  std::size_t alone = 0;
};

/// A truth from labels, as in the paper on cover song identification: documents with the same label (tune family,
/// canonical song) are relevant to each other. Every document that shares its label is a query and is itself excluded
/// from truth and runs; all others are not relevant, and the collection is all documents but the query. Documents
/// without a label are relevant to none. Order of queries and groups: as given. Errors: truth-duplicate (an id twice),
/// truth-too-large (more than 50 million pairs), truth-empty (no query).
[[nodiscard]] Result<LabelTruth> truth_from_labels(std::span<const LabelledDocument> documents);

}  // namespace rondo::evaluation
