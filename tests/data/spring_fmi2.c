/* A spring as an FMU of FMI 2.0 co-simulation, f = -k x, written from the standard alone: no header is needed. */
#include <stdlib.h>

typedef struct { double x, k, f; } Spring;
enum { OK = 0, ERROR = 3 };

const char *fmi2GetTypesPlatform(void) { return "default"; }
const char *fmi2GetVersion(void) { return "2.0"; }

void *fmi2Instantiate(const char *name, int type, const char *guid, const char *where, const void *calls, int visible, int logs) {
    Spring *s = calloc(1, sizeof(Spring));
    s->k = 100.0;
    return s;
}
void fmi2FreeInstance(void *c) { free(c); }

int fmi2SetReal(void *c, const unsigned at[], size_t n, const double value[]) {
    for (size_t i = 0; i < n; i++) ((double *)c)[at[i]] = value[i];
    return OK;
}
int fmi2GetReal(void *c, const unsigned at[], size_t n, double value[]) {
    for (size_t i = 0; i < n; i++) value[i] = ((double *)c)[at[i]];
    return OK;
}
int fmi2DoStep(void *c, double now, double size, int final) {
    Spring *s = c;
    s->f = -s->k * s->x;
    return OK;
}

#define DONE(name) int name(void *c) { return OK; }
DONE(fmi2SetupExperiment) DONE(fmi2EnterInitializationMode) DONE(fmi2ExitInitializationMode) DONE(fmi2Terminate) DONE(fmi2Reset)

#define NOT(name) int name(void *c) { return ERROR; }
NOT(fmi2SetDebugLogging) NOT(fmi2GetInteger) NOT(fmi2GetBoolean) NOT(fmi2GetString) NOT(fmi2SetInteger) NOT(fmi2SetBoolean)
NOT(fmi2SetString) NOT(fmi2GetFMUstate) NOT(fmi2SetFMUstate) NOT(fmi2FreeFMUstate) NOT(fmi2SerializedFMUstateSize)
NOT(fmi2SerializeFMUstate) NOT(fmi2DeSerializeFMUstate) NOT(fmi2GetDirectionalDerivative) NOT(fmi2SetRealInputDerivatives)
NOT(fmi2GetRealOutputDerivatives) NOT(fmi2CancelStep) NOT(fmi2GetStatus) NOT(fmi2GetRealStatus) NOT(fmi2GetIntegerStatus)
NOT(fmi2GetBooleanStatus) NOT(fmi2GetStringStatus)
