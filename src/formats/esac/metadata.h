#pragma once

#include "formats/esac/record.h"
#include "rondo/melody/piece.h"

namespace rondo::esac {

/// The metadata in the fields of a record.
struct Description {
  std::string id;  ///< where Rondo wrote the record
  Metadata metadata;
};
[[nodiscard]] Description describe(const Record& record);

/// The fields before KEY and those after MEL. `number` is written in KEY itself.
struct WrittenFields {
  std::string before;
  std::string behind;
  std::string number;
};
[[nodiscard]] WrittenFields write_fields(const Piece& piece);

/// The number of a song that has none.
inline constexpr std::string_view kNoNumber = "-";

}  // namespace rondo::esac
