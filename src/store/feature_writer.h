#pragma once

#include <string>

#include "features/features.h"
#include "store/sqlite.h"

namespace rondo {

/// Writes the features of a voice to the tables `feature` and `feature_text`, within the caller's transaction. Deleting
/// the voice deletes them.
class FeatureWriter {
 public:
  explicit FeatureWriter(Database& database) : database_(database) {}

  [[nodiscard]] Result<void> write(std::int64_t voice, std::int64_t piece, const Features& features);
  /// Whether exactly these features are stored.
  [[nodiscard]] Result<bool> matches(std::int64_t voice, std::int64_t piece, const Features& features);

 private:
  Database& database_;
  // Buffers, reused.
  std::string diatonic_;
  std::string chromatic_;
  std::string motives_;
};

/// Appends the value of the column `motives` to `to`: {"0 0 -2":2,"1 1":3}.
void append_motives_json(std::string& to, const Features& features);

}  // namespace rondo
