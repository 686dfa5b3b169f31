// The examples of both specifications and Verovio's suite: all are read, and those of version 2, which no other program
// reads, give the melodies worked out here by hand. Samples are named by their line; their text stays outside.

#include <gmock/gmock.h>

#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "rondo/formats/format.h"
#include "support/data.h"
#include "unit/formats/pae_support.h"

namespace pae_samples_test {

using pae_test::show;
using pae_test::show_bars;
using pae_test::show_changes;

std::vector<std::string> lines_of(const std::string& file) {
  std::istringstream in(slurp(rondo_data(file)));
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) {
    if (!line.empty()) lines.push_back(line);
  }
  return lines;
}

rondo::Piece read_one(const std::string& text, rondo::Diagnostics* warnings = nullptr) {
  rondo::CollectingSink sink;
  read_text("pae", text, sink);
  EXPECT_TRUE(sink.skipped.empty()) << text;
  EXPECT_EQ(sink.pieces.size(), 1U) << text;
  if (warnings != nullptr) *warnings = std::move(sink.warnings);
  return sink.pieces.empty() ? rondo::Piece{} : std::move(sink.pieces.front());
}

/// Clef, key signature, time signature and its meaning, with some notation added: these samples show headers only.
std::string header_of(const std::string& line) {
  auto json = nlohmann::json::parse(line);
  EXPECT_EQ(json.at("data"), "");
  json["data"] = "4C";
  rondo::Diagnostics warnings;
  const rondo::Piece piece = read_one(json.dump(), &warnings);
  EXPECT_TRUE(warnings.empty()) << line;
  const rondo::Voice& voice = piece.voices.at(0);
  std::ostringstream out;
  out << show_changes(voice.clefs);
  if (!voice.key_signatures.empty()) out << " key " << show_changes(voice.key_signatures);
  if (!voice.times.empty()) {
    out << " time " << show_changes(voice.times) << " = " << voice.times[0].value.bar().to_string();
  }
  return out.str();
}

TEST(PaeSamples, Version1HeadersSayWhatTheyMean) {
  RONDO_NEEDS_DATA("pae");
  const auto lines = lines_of("pae/pae_spec_v1_examples.jsonl");
  const std::vector<std::string> expected = {"0:G-2",
                                             "0:C+2",
                                             "0:F-4",
                                             "0:g-2",
                                             "0:C-1 key 0:xFC",
                                             "0:G-2 key 0:bBEA",
                                             "0:G-2 time 0:2/4 = 1/2",
                                             "0:G-2 time 0:12/16 = 3/4",
                                             "0:G-2 time 0:3 = 3/4",
                                             "0:G-2 time 0:c = 1",
                                             "0:C+3 time 0:c3 = 3",
                                             "0:C+3 time 0:c3/2 = 3/2",
                                             "0:G-2 time 0:c/ = 1",
                                             "0:C+3 time 0:o = 3",
                                             "0:C+3 time 0:o. = 9/2",
                                             "0:G-2 time 0:3/4 4/4 = 3/4"};
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_EQ(header_of(lines.at(i)), expected[i]) << "line " << i + 1;
}

TEST(PaeSamples, Version2HeadersSayWhatTheyMean) {
  RONDO_NEEDS_DATA("pae");
  const auto lines = lines_of("pae/pae_spec_v2_examples.jsonl");
  const std::vector<std::string> expected = {"0:G-2",
                                             "0:C+2",
                                             "0:F-4",
                                             "0:g-2",
                                             "0:C:3",
                                             "0:C-1 key 0:xFC",
                                             "0:G-2 key 0:bBEA",
                                             "0:G-2 key 0:bBEA",
                                             "0:G-2 key 0:",
                                             "0:G-2 key 0:xFCGD",
                                             "0:G-2 time 0:2/4 = 1/2",
                                             "0:G-2 time 0:12/16 = 3/4",
                                             "0:G-2 time 0:c = 1",
                                             "0:G-2 time 0:c/ = 1",
                                             "0:C+3 time 0:o = 3",
                                             "0:C+3 time 0:o. = 9/2",
                                             "0:C+3 time 0:c3 = 3",
                                             "0:C+3 time 0:c2 = 2",
                                             "0:G+2 time 0:c/ = 1",
                                             "0:G-2 time 0:3/4 4/4 = 3/4"};
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_EQ(header_of(lines.at(i)), expected[i]) << "line " << i + 1;
}

/// Line of the file -> its melody.
const std::map<std::size_t, std::string> kVersion2 = {
    {21, "G4 4"},
    {22, "G4 2"},
    {23, "G4 1"},
    {24, "G4 1/2"},
    {25, "G4 1/4"},
    {26, "G4 1/8"},
    {27, "G4 1/16"},
    {28, "G4 1/32"},
    {29, "G4 1/64"},
    {30, "G4 1/128"},
    {31, "A4 3/8"},
    {32, "A4 7/32 A4 7/32"},  // double-dotted, then the same as three tied notes
    {33, "C4 1/4 D4 1/4 E4 1/4 F4 1/4 G4 1/4 A4 1/4 B4 1/4"},
    {34, "C4 1/4 B5 1/4"},
    {35, "C2 1/4 B3 1/4"},
    {36, "C5 1/4 G4 1/4 C4 1/4 G3 1/4 C3 1/4 G2 1/4"},
    {37, "A4 1/4 B4 1/4 C5 1/4 D5 1/4 C5 1/4 B4 1/4 A4 1/4"},
    {38, "A4 1/4 B4 1/4 C4 1/4 D4 1/4"},
    {39, "G#4 1/4"},
    {40, "Bb4 1/4"},
    {41, "G##4 1/4"},
    {42, "Bbb4 1/4"},
    {43, "B4 1/4"},
    {44, "- 1/8"},
    {45, "- 1/2"},
    {46, "F4 1/4 G4 1/2 A4 1/4"},
    {47, "G5 1"},
    {48, "G5 5/4"},
    {49, "G5 5/8 A5 1/8 B5 3/8"},
    {50, "C4 1/4 D4 1/4 E4 1/4 F4 1/4"},
    {51, "C4 1/4 D4 1/8 A3 1/8"},
    {52, "Eb5 1/16 Bb4 1/16 G4 1/8 G4 1/8 Ab4 1/8 - 1/8 C5 1/8 Bb4 1/32 G4 7/32"},
    {53, "A4 1/8 B4 1/8 *C5 1/16 *D5 1/16 A4 1/8 B4 1/8"},
    {54, "D4 1/20 E4 1/20 F4 1/20 G4 1/20 A4 1/20"},
    {55, "D4 1/40 E4 1/40 F4 1/40 G4 1/40 A4 1/40"},
    {56, "D4 1/6 E4 1/12 D4 1/6 E4 1/12"},
    {57, "D5+A4+F#4 1/2"},
    {58, "D5+A4+F#4 1/2"},
    {59, "D5+A4+F#4 1/2 D5+A4+F#4 1/2 D5+A4+F#4 1/4"},
    {60, "G4+E4+C4 1/2 G4+E4+C4 1/24 A4+F#4+D4 1/24 B4+G4+E4 1/24"},
    {61, "G4 1/2 C4 1"},
    {62, "G4 1/2 C4 1"},
    {63, "A4 1/4 *C5 0 D5 1/8 B4 1/8"},
    {64, "A4 1/4 *B4 1/8 A4 1/8 G4 1/8"},
    {65, "A4 1/4 *B4 1/8 *C5 1/8 D5 1/8 B4 1/8"},
    {66, "A4 1/8 *B4 1/8 *C5 1/8 D5 1/8"},
    {67, ""},
    {68, ""},
    {69, ""},
    {70, ""},
    {71, ""},
    {72, "C4 1/4 D4 1/4 E4 1/4 F4 1/4 G4 1/4 A4 1/4"},
    {73, "C4 1/4 D4 1/4 E4 1/4 F4 1/4 G4 1/4 A4 1/4"},
    {74, "C4 1/4 D4 1/4 E4 1/4 F4 1/4 G4 1/4 A4 1/4 F4 1/4 G4 1/4 A4 1/4"},
    {75, "C4 1/4 D4 1/4 E4 1/4 C4 1/4 D4 1/4 E4 1/4 F4 1/4 G4 1/4 A4 1/4 F4 1/4 G4 1/4 A4 1/4"},
    {76, "- 1"},  // no time signature: a whole note
    {77, "- 35"},
    {78, "- 16"},
    {79, "A4 1/2 - 1/2 B3 1/8 - 7/8 C#4 1 - 1/2"},
    {80, "A4 1/8 B4 1/8 A4 1/8 G4 1/8 A4 1/8 B4 1/8 A4 1/8 G4 1/8 A4 1/8 B4 1/8 A4 1/8 G4 1/8"},
    {81, "A4 1/4 B4 1/4 A4 1/4 G4 1/4 A4 1/4 B4 1/4 A4 1/4 G4 1/4 A4 1/4 B4 1/4 A4 1/4 G4 1/4"},
    {82, "A4 3/16 B4 1/16 C5 1/8 D5 3/16 E5 1/16 F5 1/8"},
};

TEST(PaeSamples, EveryVersion2SampleIsReadAsItsSpecificationSays) {
  RONDO_NEEDS_DATA("pae");
  const auto lines = lines_of("pae/pae_spec_v2_examples.jsonl");
  ASSERT_EQ(lines.size(), 82U);
  for (std::size_t number = 1; number <= lines.size(); ++number) {
    SCOPED_TRACE("line " + std::to_string(number));
    const rondo::Piece piece = read_one(lines[number - 1]);
    const auto expected = kVersion2.find(number);
    if (expected == kVersion2.end()) {
      EXPECT_TRUE(piece.voices.empty()) << "headers without notation";
    } else {
      EXPECT_EQ(show(piece.voices.at(0)), expected->second);
    }
  }
}

TEST(PaeSamples, Version2SamplesKeepTheirMelodyWhenStatedToBeVersion2) {
  RONDO_NEEDS_DATA("pae");
  // The examples are drawn by a program that knows version 1, so many use its signs; both are understood.
  const auto lines = lines_of("pae/pae_spec_v2_examples.jsonl");
  for (const auto& [number, melody] : kVersion2) {
    auto json = nlohmann::json::parse(lines.at(number - 1));
    json["version"] = "pe2";
    EXPECT_EQ(show(read_one(json.dump()).voices.at(0)), melody) << "line " << number;
  }
}

TEST(PaeSamples, BarsAndChangesOfVersion2) {
  RONDO_NEEDS_DATA("pae");
  const auto lines = lines_of("pae/pae_spec_v2_examples.jsonl");
  EXPECT_EQ(show_bars(read_one(lines.at(71)).voices.at(0)), "0 3/4");
  EXPECT_EQ(show_bars(read_one(lines.at(74)).voices.at(0)), "0 3/4 3/2 9/4");
  const rondo::Voice changes = read_one(lines.at(78)).voices.at(0);
  EXPECT_EQ(show_changes(changes.clefs), "0:G-2 1:F-4");
  EXPECT_EQ(show_changes(changes.key_signatures), "1:xFC");
  EXPECT_EQ(show_changes(changes.times), "2:3/2");
}

TEST(PaeSamples, EverySampleIsReadAndWrittenBackInBothVersions) {
  RONDO_NEEDS_DATA("pae");
  std::vector<std::string> texts = lines_of("pae/pae_spec_v1_examples.jsonl");
  EXPECT_EQ(texts.size(), 66U);
  for (std::string& line : lines_of("pae/pae_spec_v2_examples.jsonl")) texts.push_back(std::move(line));
  const auto files = files_below(rondo_data("pae/verovio"), ".pae");
  EXPECT_EQ(files.size(), 78U);
  for (const auto& file : files) texts.push_back(slurp(file));
  std::size_t melodies = 0;
  for (const std::string& text : texts) {
    SCOPED_TRACE(text);
    const rondo::Format* format = rondo::recognise(text);
    ASSERT_NE(format, nullptr);
    EXPECT_EQ(format->name, "pae");
    const rondo::Piece piece = read_one(text);
    if (piece.voices.empty()) continue;
    ++melodies;
    for (const auto version : {rondo::PaeVersion::v1, rondo::PaeVersion::v2}) {
      auto written = rondo::to_pae(piece.voices[0], version);
      ASSERT_TRUE(written) << written.error().to_string();
      EXPECT_EQ(read_one(rondo::to_single_line(*written, version)).voices.at(0), piece.voices[0])
          << rondo::to_single_line(*written, version);
    }
  }
  EXPECT_EQ(melodies, 78U + 50U + 62U);
}

TEST(PaeSamples, ClefsAndKeysOfVerovioAreThoseOfTheFile) {
  RONDO_NEEDS_DATA("pae");
  for (const char* folder : {"pae/verovio/1_clefs", "pae/verovio/2_keys"}) {
    for (const auto& file : files_below(rondo_data(folder), ".pae")) {
      const std::string text = slurp(file);
      const auto field = [&](const std::string& name) {
        const std::size_t begin = text.find("@" + name + ":") + name.size() + 2;
        return text.substr(begin, text.find('\n', begin) - begin);
      };
      const rondo::Voice voice = read_one(text).voices.at(0);
      EXPECT_EQ(show_changes(voice.clefs), "0:" + field("clef")) << file;
      EXPECT_EQ(show_changes(voice.key_signatures), field("keysig").empty() ? "" : "0:" + field("keysig")) << file;
    }
  }
}

}  // namespace pae_samples_test
