#include "formats/pae/notation.h"

#include <algorithm>

#include "base/utf8.h"
#include "formats/pae/signs.h"
#include "melody/limits.h"

namespace rondo::pae {
namespace {

/// Written notes, rests and signs; more than a voice may hold, since ties and bar lines count too.
constexpr std::size_t kMostEvents = 2 * limits::kNotesPerVoice;

}  // namespace

constexpr std::array<Notation::Handler, 256> Notation::make_handlers() {
  std::array<Handler, 256> handlers{};
  handlers.fill(&Notation::on_unknown);
  const auto signs = [&handlers](std::string_view all, Handler handler) {
    for (const char c : all) handlers[static_cast<unsigned char>(c)] = handler;
  };
  signs(" \t\r\n", &Notation::on_space);
  signs("~", &Notation::on_validity);
  signs("',", &Notation::on_octave);
  signs("0123456789", &Notation::on_duration);
  signs("xbn", &Notation::on_accidental);
  signs("ABCDEFG", &Notation::on_name);
  signs("-", &Notation::on_rest);
  signs(".", &Notation::on_dot);
  signs("t", &Notation::on_trill);
  signs("p", &Notation::on_fermata);
  signs("u", &Notation::on_ligature);
  signs("+", &Notation::on_tie);
  signs("_", &Notation::on_tied_note);
  signs("^", &Notation::on_chord);
  signs(">", &Notation::on_chord_end);
  signs("g", &Notation::on_acciaccatura);
  signs("q", &Notation::on_appoggiatura);
  signs("y", &Notation::on_grace_group);
  signs("r", &Notation::on_grace_group_end);
  signs("{", &Notation::on_beam);
  signs("}", &Notation::on_beam_end);
  signs("(", &Notation::on_group);
  signs(")", &Notation::on_group_end);
  signs(";", &Notation::on_group_number);
  signs("/:", &Notation::on_bar);
  signs("=", &Notation::on_measure_rest);
  signs("i", &Notation::on_repeat_bar);
  signs("!", &Notation::on_figure);
  signs("%", &Notation::on_clef_change);
  signs("$", &Notation::on_key_change);
  signs("@", &Notation::on_time_change);
  return handlers;
}

Result<void> Notation::read(const NotationText& text, PaeVersion version, bool liberal, Score& score,
                            Remarks& remarks) {
  static constexpr std::array<Handler, 256> kHandlers = make_handlers();
  start(text, version, liberal, score, remarks);
  while (s_.at < text_.size() && !s_.stopped) (this->*kHandlers[static_cast<unsigned char>(text_[s_.at])])();
  if (!s_.stopped) finish();
  if (s_.stopped) return fail(std::move(error_));
  return {};
}

void Notation::start(const NotationText& text, PaeVersion version, bool liberal, Score& score, Remarks& remarks) {
  source_ = &text;
  text_ = text.view();
  score_ = &score;
  remarks_ = &remarks;
  version_ = version;
  liberal_ = liberal;
  pattern_.assign(1, Fraction(1, 4));
  groups_.clear();
  s_ = State{};
  s_.header_events = s_.measure_begin = score.events.size();
  if (!score.keys.empty()) s_.key = score.keys.back();
  if (!score.times.empty()) s_.measure = score.times.back().bar();
  if (!score.clefs.empty()) s_.mensural = score.clefs.back().kind != Clef::Kind::modern;
  reset_accidentals();
}

void Notation::finish() {
  drop_pending();
  if (s_.tie_missed) begin_chord();  // warns that the tie has no matching note
  if (s_.grace_group) close_grace_group("it is still open at the end");
  if (s_.in_chord) warn("pae-chord-unclosed", "a chord is not closed with >", text_.size());
  if (s_.beams != 0) {
    warn("pae-beam-unbalanced", "a beam is opened with { and not closed", text_.size(), "close it with }");
  }
  if (!groups_.empty()) {
    warn("pae-group-unclosed", "a parenthesis is not closed, so it changes no durations", groups_.back().position,
         "close it with )");
  }
  if (s_.figure_begin != kNowhere) {
    warn("pae-figure-unclosed", "a repeat figure is not closed with !", s_.figure_begin - 1);
  }
  if (s_.spaces > 0 && !liberal_) read_lost_ties();
  if (s_.unknown > s_.items) {
    stop("pae-not-notation", "most signs mean nothing in Plaine & Easie Code", 0, "is this field really notation?");
  }
}

void Notation::warn(std::string_view code, std::string message, std::size_t position, std::string_view hint) {
  remarks_->warn(code, std::move(message), "data", source_->column(position), hint);
}

void Notation::stop(std::string_view code, std::string message, std::size_t position, std::string_view hint) {
  if (s_.stopped) return;
  s_.stopped = true;
  Place place;
  place.field = "data";
  place.column = static_cast<std::uint32_t>(source_->column(position));
  error_ = Error{std::string(code), std::move(message), std::move(place), std::string(hint)};
}

void Notation::expect_version(PaeVersion version, std::string_view what) {
  if (version == version_ || s_.mixed_reported || liberal_) return;
  s_.mixed_reported = true;
  warn("pae-version-mixed",
       std::string(what) + " belongs to version " + (version == PaeVersion::v1 ? "1" : "2") + " of the code", s_.at,
       "both versions are read; state the one that is meant");
}

Event& Notation::add(EventKind kind) {
  auto& events = score_->events;
  if (events.size() >= kMostEvents) {
    stop("too-many-notes", "more than " + std::to_string(kMostEvents) + " notes, rests and bar lines", s_.at);
  }
  Event& event = events.emplace_back();
  event.kind = kind;
  event.position = static_cast<std::uint32_t>(s_.at);
  return event;
}

void Notation::on_unknown() {
  const auto byte = static_cast<unsigned char>(text_[s_.at]);
  const std::size_t letter = std::max<std::size_t>(1, utf8_length(text_.substr(s_.at)));
  s_.unknown += letter;
  const bool shown = letter > 1 || (byte > 32 && byte < 127);
  const std::string sign = shown ? std::string(text_.substr(s_.at, letter)) : "byte " + std::to_string(byte);
  warn("pae-unknown-sign", "the sign " + sign + " has no meaning here and was left out", s_.at);
  s_.at += letter;
}

/// A space ends a change (which then consumes it). Elsewhere it is invalid; if all spaces are between notes of the same
/// pitch, they were ties that some program decoded, because + means a space in URLs.
void Notation::on_space() {
  const std::size_t begin = s_.at;
  while (s_.at < text_.size() && is_blank(text_[s_.at])) ++s_.at;
  const bool outside = begin == 0 || s_.at == text_.size();
  if (outside || begin == s_.change_end) return;
  if (s_.spaces++ == 0) s_.first_space = begin;
  s_.space_pending = s_.at == begin + 1 && s_.note_end == begin && text_[begin] == ' ';
}

void Notation::read_lost_ties() {
  if (s_.lost_ties != s_.spaces || version_ != PaeVersion::v1) {
    warn("pae-space", "spaces inside the notation were left out", s_.first_space,
         "a space only ends a change of clef, key or time");
    return;
  }
  for (Event& event : score_->events) {
    if (!event.after_space) continue;
    const Event& partner = score_->events[event.value];
    if (!event.explicit_accidental) event.pitch.alter = partner.pitch.alter;
    event.tied = event.pitch == partner.pitch;
    warn("pae-tie-lost", "a space between notes of one pitch was read as a tie", event.position,
         "the tie sign + may have been lost when the record was sent as a web address");
  }
}

void Notation::on_validity() {
  // ~? ~+ ~t: comments on the transcription, without effect on the melody.
  if (text_.size() - s_.at > 2) return on_unknown();
  expect_version(PaeVersion::v1, "the validity mark ~");
  s_.at = text_.size();
}

}  // namespace rondo::pae
