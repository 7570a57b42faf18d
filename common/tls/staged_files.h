// Certificates that rotate while a program serves: gRPC 1.51 takes whatever lies there, a mismatched pair
// included, and then refuses every new handshake. So it only ever sees copies that passed Check.
#pragma once

#include <optional>
#include <string>

#include "common/files/file_system.h"
#include "common/tls/certificates.h"

namespace eos::tls {

// By one thread at a time.
class StagedFiles {
 public:
  // `directory`: private to this program, made 0700; what an earlier run left there is removed.
  StagedFiles(Files source, std::string directory);

  // Checks the source and, if it differs from what is in use, puts copies in force in one step (a link is
  // switched). On error the old ones stay. kCertificate…, kStorageFailed.
  Status Refresh(Time now);

  const Files& in_use() const { return in_use_; }           // stable paths, through the link
  const CertificateFacts& facts() const { return facts_; }  // of the certificate in use
  // The source cannot be used at the moment; the old pair is.
  const std::optional<Problem>& problem() const { return problem_; }

 private:
  Status Stage(Time now);
  StatusOr<std::string> DigestOf(const FileSystem& files) const;
  Status StillValid(Time now) const;

  const Files source_;
  const std::string directory_;
  Files in_use_;
  CertificateFacts facts_;
  std::string digest_;
  int generation_ = 0;
  std::optional<Problem> problem_;
};

}  // namespace eos::tls
