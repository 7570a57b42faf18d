#include "common/tls/staged_files.h"

#include <spdlog/fmt/fmt.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "common/files/file_system.h"
#include "common/files/sha256.h"

namespace eos::tls {
namespace {

constexpr size_t kMaxPem = 1U << 20U;

Status Switch(const std::string& directory, const std::string& generation) {
  const std::string link = directory + "/current";
  const std::string temporary = directory + "/next";
  unlink(temporary.c_str());
  if (symlink(generation.c_str(), temporary.c_str()) != 0 || rename(temporary.c_str(), link.c_str()) != 0) {
    return Err(Reason::kStorageFailed, fmt::format("switching \"{}\": {}", link, std::strerror(errno)));
  }
  return OkStatus();
}

std::string Digest(const std::string& certificate, const std::string& key, const std::string& ca) {
  return Sha256Hex(certificate + '\0' + key + '\0' + ca);
}

void RemoveGeneration(FileSystem& files, const std::string& folder) {
  for (const char* name : {"/certificate.pem", "/key.pem", "/ca.pem"})
    files.Remove(folder + name).IgnoreError();
  rmdir(folder.c_str());
}

}  // namespace

StagedFiles::StagedFiles(Files source, std::string directory)
    : source_(std::move(source)),
      directory_(std::move(directory)),
      in_use_{directory_ + "/current/certificate.pem", directory_ + "/current/key.pem",
              directory_ + "/current/ca.pem"} {}

Status StagedFiles::Refresh(Time now) {
  const Status staged = Stage(now);
  if (staged.ok()) {
    problem_.reset();
  } else {
    problem_ = ProblemOf(staged);
  }
  return staged;
}

StatusOr<std::string> StagedFiles::DigestOf(const FileSystem& files) const {
  EOS_ASSIGN_OR_RETURN(const std::string certificate, files.Read(source_.certificate, kMaxPem));
  EOS_ASSIGN_OR_RETURN(const std::string key, files.Read(source_.key, kMaxPem));
  EOS_ASSIGN_OR_RETURN(const std::string ca, files.Read(source_.ca, kMaxPem));
  return Digest(certificate, key, ca);
}

Status StagedFiles::StillValid(Time now) const {
  if (now <= facts_.not_after) return OkStatus();
  return Check(source_, now).status();  // says it in full
}

Status StagedFiles::Stage(Time now) {
  PosixFileSystem files;
  if (generation_ == 0) {
    EOS_RETURN_IF_ERROR(files.MakeDirectories(directory_, 0700));
    for (const std::string& name : files.List(directory_).value_or(std::vector<std::string>{})) {
      if (name == "current" || name == "next") files.Remove(directory_ + "/" + name).IgnoreError();
      if (name.starts_with("pair-")) RemoveGeneration(files, directory_ + "/" + name);
    }
  }
  // What is in use already is judged by its dates alone: this runs every few seconds, and checking a chain
  // costs more than all else that an idle agent does.
  const auto digest = DigestOf(files);
  if (digest.ok() && *digest == digest_) return StillValid(now);
  EOS_RETURN_IF_ERROR(Check(source_, now).status());
  EOS_ASSIGN_OR_RETURN(const std::string certificate, files.Read(source_.certificate, kMaxPem));
  EOS_ASSIGN_OR_RETURN(const std::string key, files.Read(source_.key, kMaxPem));
  EOS_ASSIGN_OR_RETURN(const std::string ca, files.Read(source_.ca, kMaxPem));

  const std::string generation = fmt::format("pair-{}", generation_ + 1);
  const std::string folder = directory_ + "/" + generation;
  RemoveGeneration(files, folder);
  EOS_RETURN_IF_ERROR(files.MakeDirectories(folder, 0700));
  EOS_RETURN_IF_ERROR(files.WriteNew(folder + "/certificate.pem", certificate));
  EOS_RETURN_IF_ERROR(files.WriteNew(folder + "/key.pem", key));
  EOS_RETURN_IF_ERROR(files.WriteNew(folder + "/ca.pem", ca));
  // The source may have changed between the check and the reading: the copies are what counts.
  const Files copies{folder + "/certificate.pem", folder + "/key.pem", folder + "/ca.pem"};
  EOS_ASSIGN_OR_RETURN(CertificateFacts facts, Check(copies, now));
  EOS_RETURN_IF_ERROR(Switch(directory_, generation));
  if (generation_ > 0) RemoveGeneration(files, fmt::format("{}/pair-{}", directory_, generation_));
  ++generation_;
  digest_ = Digest(certificate, key, ca);
  facts_ = std::move(facts);
  return OkStatus();
}

}  // namespace eos::tls
