#include <array>

#include "formats/readers.h"
#include "rondo/formats/format.h"

namespace rondo {
namespace {

constexpr std::array kFormats = {
    Format{"pae", "Plaine & Easie Code 1 and 2", ".pae", "text/plain", recognise_pae, read_pae, write_pae},
    Format{"marcxml", "MARCXML with incipits (031, UNIMARC 036)", ".xml", "application/marcxml+xml", recognise_marcxml,
           read_marcxml, nullptr},
    Format{"marc", "binary MARC with incipits (031, UNIMARC 036)", ".mrc", "application/marc", recognise_marc,
           read_marc, nullptr},
    Format{"midi", "Standard MIDI File", ".mid", "audio/midi", recognise_midi, read_midi, write_midi},
    Format{"kern", "Humdrum **kern", ".krn", "text/plain", recognise_kern, read_kern, write_kern},
    Format{"abc", "ABC 2.1", ".abc", "text/vnd.abc", recognise_abc, read_abc, write_abc},
    Format{"esac", "EsAC, the code of the Essen collection", ".esac", "text/plain", recognise_esac, read_esac,
           write_esac},
    Format{"musicxml", "MusicXML 3 and 4, also .mxl", ".musicxml", "application/vnd.recordare.musicxml+xml",
           recognise_musicxml, read_musicxml, write_musicxml},
    Format{"musescore", "MuseScore 2 to 4, .mscx and .mscz", ".mscx", "application/x-musescore+xml",
           recognise_musescore, read_musescore, nullptr},
    Format{"mei", "MEI 3 to 5", ".mei", "application/mei+xml", recognise_mei, read_mei, write_mei},
    Format{"jsonl", "Rondo's JSON lines", ".jsonl", "application/jsonl", recognise_jsonl, read_jsonl, write_jsonl},
};

}  // namespace

std::span<const Format> formats() { return kFormats; }

const Format* find_format(std::string_view name) {
  for (const Format& format : kFormats) {
    if (format.name == name) return &format;
  }
  return nullptr;
}

const Format* recognise(std::string_view head) {
  const Format* best = nullptr;
  int best_score = 0;
  for (const Format& format : kFormats) {
    const int score = format.recognise(head);
    if (score > best_score) {
      best = &format;
      best_score = score;
    }
  }
  return best;
}

std::string record_id(const ReadOptions& options, std::size_t number, bool only) {
  return only ? options.file : options.file + "#" + std::to_string(number);
}

}  // namespace rondo
