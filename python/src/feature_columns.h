#pragma once

#include <string>
#include <vector>

#include "binding.h"
#include "rondo/melody/piece.h"

namespace rondo::python {

/// Features of many voices, column by column; each column is what numpy or a list of texts will hold.
class FeatureColumns {
 public:
  /// Every voice of the piece becomes a row.
  void add(const Piece& piece);
  /// A dict that pandas takes as it is.
  [[nodiscard]] py::dict finish() &&;

 private:
  std::vector<std::string> id_, contour_, rhythm_, clef_, key_signature_, key_, time_;
  std::vector<std::int64_t> voice_, notes_, lowest_, highest_, range_, range_steps_, max_interval_, max_steps_;
  std::vector<double> duration_ratio_;
  std::vector<std::vector<std::int64_t>> sizes_;
};

}  // namespace rondo::python
