#include <array>

#include "formats/esac/melody.h"
#include "formats/esac/metadata.h"
#include "formats/readers.h"
#include "melody/limits.h"

namespace rondo {
namespace esac {
namespace {

Result<Piece> make_piece(const Record& record, const ReadOptions& options, Remarks& remarks) {
  if (record.too_large) {
    return fail("too-large", "a record of more than " + std::to_string(limits::kRecordBytes) + " bytes",
                remarks.place(), "split it into smaller pieces");
  }
  const Field* key_field = record.find("KEY");
  const Field* melody = record.find("MEL");
  if (key_field == nullptr || melody == nullptr) {
    return fail("esac-no-melody",
                std::string("a record without ") + (melody == nullptr ? "a melody (MEL)" : "a key (KEY)"),
                remarks.place({{}, {}, {}, record.fields.front().line, 0}),
                "a song has KEY[number unit tonic metre] and MEL[melody //]");
  }
  if (record.open_field) remarks.add("esac-open-field", "a field that no ] closes ends with the record");
  auto key = parse_key(*key_field, remarks);
  if (!key) return fail(std::move(key.error()));
  auto voice = parse_melody(*melody, *key, remarks);
  if (!voice) {
    voice.error().place = remarks.place({{}, {}, "MEL", melody->line, 0});
    return fail(std::move(voice.error()));
  }
  Description description = describe(record);
  Piece piece;
  piece.id = std::move(description.id);
  piece.metadata = std::move(description.metadata);
  if (!key->number.empty() && key->number != kNoNumber) {
    piece.metadata.catalogue.insert(piece.metadata.catalogue.begin(), std::move(key->number));
  }
  piece.voices.push_back(std::move(*voice));
  piece.format = "esac";
  if (options.keep_source) piece.source_text = record.source_text;
  return piece;
}

bool hand_over(const Record& record, const std::string& id, const ReadOptions& options, PieceSink& sink) {
  Place place;
  place.file = options.file;
  place.record = id;
  Remarks remarks(sink, place);
  auto piece = make_piece(record, options, remarks);
  if (!piece) return sink.skip(std::move(piece.error()));
  if (piece->id.empty()) piece->id = id;
  return sink.piece(std::move(*piece));
}

}  // namespace
}  // namespace esac

int recognise_esac(std::string_view head) {
  bool key = false;
  while (!head.empty()) {
    const std::size_t end = std::min(head.find_first_of("\r\n"), head.size());
    const esac::FieldStart start = esac::field_start(head.substr(0, end));
    head.remove_prefix(std::min(end + 1, head.size()));
    if (start.name == "KEY") key = true;
    if (start.name != "MEL" || !key) continue;
    // A melody begins with a degree, a rest, an octave or a triplet.
    const std::size_t first = start.text.find_first_not_of(" \t");
    if (first == std::string_view::npos ||
        std::string_view("+-(01234567").find(start.text[first]) != std::string::npos) {
      return 95;
    }
  }
  return 0;
}

Result<void> read_esac(ByteSource& in, const ReadOptions& options, PieceSink& sink) {
  const auto broken = [&](Error error) {
    error.place.file = options.file;
    return fail(std::move(error));
  };
  esac::RecordReader reader(in);
  esac::Record record;
  auto more = reader.next(record);
  if (!more) return broken(std::move(more.error()));
  if (!*more) {
    return broken({"esac-not-esac", "there are no fields of EsAC in it", {}, "a song has KEY[...] and MEL[...]"});
  }
  for (std::size_t number = 1;; ++number) {
    esac::Record following;
    more = reader.next(following);
    const bool only = number == 1 && more && !*more;
    if (!esac::hand_over(record, record_id(options, number, only), options, sink)) return {};
    if (!more) return broken(std::move(more.error()));
    if (!*more) return {};
    record = std::move(following);
  }
}

}  // namespace rondo
