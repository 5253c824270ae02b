/* wine before version 9 has no bcryptprimitives.dll, from which Rust's standard library takes random bytes. */
unsigned char __stdcall SystemFunction036(void *buffer, unsigned long bytes);

__declspec(dllexport) int __stdcall ProcessPrng(unsigned char *buffer, unsigned long long bytes) {
    return SystemFunction036(buffer, (unsigned long)bytes);
}
