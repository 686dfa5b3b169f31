#pragma once

#include "formats/marc_record.h"
#include "rondo/melody/piece.h"

namespace rondo::marc {

/// UNIMARC has the same record structure as MARC 21 with other tags and codes.
enum class Dialect : std::uint8_t { marc21, unimarc };

/// UNIMARC has a 036 or 200 and neither 031 nor 245. (036 alone does not tell: MARC 21 has one for study numbers.)
[[nodiscard]] Dialect dialect_of(const Record& record);

struct RecordMetadata {
  Metadata metadata;
  bool unescaped = false;  ///< something had been escaped twice
  bool cut = false;        ///< the text exceeded the limit and was truncated
};

/// The metadata of the record, common to all its incipits.
[[nodiscard]] RecordMetadata read_metadata(const Record& record, Dialect dialect);

}  // namespace rondo::marc
