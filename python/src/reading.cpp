#include <fmt/format.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <filesystem>
#include <optional>

#include "melody.h"
#include "rondo/formats/open.h"

namespace rondo::python {
namespace {

/// Keeps every piece; of what could not be read, how much, and the first few.
class Pieces final : public PieceSink, public FileVisitor {
 public:
  Pieces(bool strict, const std::string& voices) : strict_(strict) {
    if (voices != "all" && voices != "melody") {
      throw Raised({"argument-voices", "voices is neither 'all' nor 'melody'", {}, {}});
    }
    if (voices == "melody") voices_ = VoiceSelection::melody;
  }

  bool piece(Piece&& piece) override {
    found.push_back(make_melody(std::move(piece)));
    return true;
  }
  void warn(Diagnostic /*warning*/) override {}
  bool skip(Diagnostic why) override {
    lost.push_back(std::move(why));
    return !strict_;
  }
  bool file(const std::string& name, std::unique_ptr<ByteSource> source) override {
    ReadOptions read;
    read.file = name;
    read.voices = voices_;
    auto done = read_any(std::move(source), read, *this);
    // A README beside the music in a folder is no melody.
    const bool other = !done && done.error().code == "format-unknown" && name != only;
    if (!done && !other) lost.push_back(std::move(done.error()));
    return lost.empty() || !strict_;
  }
  bool problem(Diagnostic why) override { return skip(std::move(why)); }

  std::string only;  ///< the file that was asked for, if it was one
  std::vector<MelodyPointer> found;
  Diagnostics lost;

 private:
  bool strict_;
  VoiceSelection voices_ = VoiceSelection::all;
};

class BytesSource final : public ByteSource {
 public:
  explicit BytesSource(std::string_view bytes) : memory_(bytes) {}
  Result<std::size_t> read(std::span<char> into) override { return memory_.read(into); }

 private:
  MemorySource memory_;
};

void warn_of_losses(const Diagnostics& lost) {
  constexpr std::size_t kMost = 10;
  const auto warn = [](const std::string& text) {
    if (PyErr_WarnEx(PyExc_UserWarning, text.c_str(), 1) != 0) throw py::error_already_set();
  };
  for (std::size_t i = 0; i < std::min(kMost, lost.size()); ++i) warn("not read: " + lost[i].to_string());
  if (lost.size() > kMost) warn(fmt::format("not read: {} more like these", lost.size() - kMost));
}

std::vector<MelodyPointer> finish(Pieces& pieces, bool strict) {
  if (!pieces.lost.empty() && (strict || pieces.found.empty())) throw Raised(std::move(pieces.lost.front()));
  warn_of_losses(pieces.lost);
  return std::move(pieces.found);
}

std::vector<MelodyPointer> read_bytes(const py::bytes& source, bool strict, const std::string& voices) {
  const std::string_view bytes = source;
  Pieces pieces(strict, voices);
  pieces.only = "bytes";
  {
    const py::gil_scoped_release others_may_run;
    open_bytes("bytes", std::make_unique<BytesSource>(bytes), pieces);
  }
  return finish(pieces, strict);
}

std::vector<MelodyPointer> read_path(const std::filesystem::path& path, bool strict, const std::string& voices) {
  Pieces pieces(strict, voices);
  pieces.only = path.string();
  const auto done = [&] {
    const py::gil_scoped_release others_may_run;
    return open_path(path.string(), pieces);
  }();
  value_of(done);
  return finish(pieces, strict);
}

}  // namespace

void define_reading(py::module_& module) {
  constexpr const char* kDoc =
      R"(All melodies of a file, a folder, an archive, or of bytes; formats are recognised by content.

A record that cannot be read is skipped with a warning; with ``strict`` it is an error. With ``voices="melody"`` only
the melody of a piece with several voices is kept, identified by its name or its notes.

>>> rondo.read(b"X:1\nT:Scale\nK:C\nCDEF|\n")
[<rondo.Melody bytes#1 "Scale": 4 notes>]
>>> len(rondo.read("data/demo")) > 10
True
)";
  module.def("read", read_bytes, kDoc, py::arg("source"), py::kw_only(), py::arg("strict") = false,
             py::arg("voices") = "all");
  module.def("read", read_path, py::arg("source"), py::kw_only(), py::arg("strict") = false, py::arg("voices") = "all");
  module.def(
      "convert",
      [module](const py::object& source, const std::string& format, bool strict, const std::string& voices) {
        py::list texts;
        for (const py::handle melody :
             module.attr("read")(source, py::arg("strict") = strict, py::arg("voices") = voices)) {
          texts.append(melody.attr("write")(format));
        }
        return texts;
      },
      R"(Every melody of a file, a folder, an archive, or of bytes, in another format: text, or bytes for "midi".

>>> print(rondo.convert(b"X:1\nL:1/4\nK:C\nCDEF|\n", "kern")[0].splitlines()[-3:])
['4f', '==', '*-']
)",
      py::arg("source"), py::arg("format"), py::kw_only(), py::arg("strict") = false, py::arg("voices") = "all");
}

}  // namespace rondo::python
